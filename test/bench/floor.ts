import postgres from 'postgres'

/**
 * The floor of a read: a bare Bun.serve with one prepared SELECT by primary key. A process of its own; its arguments are
 * a port and a database.
 */
const [port = '0', url = ''] = process.argv.slice(2)
const options = { max: 8, max_pipeline: 1 }
const sql = postgres(url, options)

Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  development: false,
  fetch: async (request) => {
    const id = request.url.slice(request.url.lastIndexOf('/') + 1)
    if (!id) return new Response(null, { status: 404 })
    const [card] = await sql`select id, name, number, title from cards where id = ${id}`
    return Response.json(card)
  },
})

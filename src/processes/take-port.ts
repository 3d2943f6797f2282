import { listenFault } from '../lib/listen-fault.ts'

/**
 * Makes sure that nobody else listens there, since the sockets that share a port would also share it with another service's.
 * Returns the port, a free one if it is 0.
 */
export const takePort = (place: { host: string; port: number }): number => {
  try {
    const socket = Bun.listen({ hostname: place.host, port: place.port, socket: { data: () => {} } })
    socket.stop(true)
    return socket.port
  } catch (error) {
    throw listenFault(place, error)
  }
}

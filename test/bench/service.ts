import { openRig } from './rig.ts'

/** The service as a process of its own: its arguments are a port and a database. Prints the token that it made. */
const [port = '0', url = ''] = process.argv.slice(2)
const rig = await openRig(url)
rig.listen(Number(port))
console.log(rig.token)
process.on('SIGTERM', () => process.exit(0))

import { openRig } from './rig.ts'

/** The service as a process of its own: its arguments are a port, a database and who asks. Prints the token that it made. */
const [port = '0', url = '', who] = process.argv.slice(2)
const rig = await openRig(url, who === 'operator' ? who : 'reader')
rig.listen(Number(port))
console.log(rig.token)
process.on('SIGTERM', () => process.exit(0))

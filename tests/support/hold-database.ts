import { openDatabase } from '../../db/client'

// A separate process that keeps an embedded database open until its standard input ends.
const [, , dataDir = '', purpose] = process.argv
const database = await openDatabase({ dataDir, purpose: purpose === 'command' ? 'command' : 'service' })
process.stdout.write('open\n')
process.stdin.resume().on('end', () => void database.close())

import { getConfig } from '../config'
import { runAccountLine } from './account-line'

const { dataDir, DATABASE_URL } = getConfig()

process.exitCode = await runAccountLine({
  arguments: process.argv.slice(2),
  stdin: process.stdin,
  stdout: text => process.stdout.write(text),
  stderr: text => process.stderr.write(text),
  dataDir,
  databaseUrl: DATABASE_URL,
})

import { canVerifyAddresses } from '../accounts/sign-in/sign-in-ways'
import { getConfig } from '../config'
import { createClock } from '../credits/ledger'
import { runAccountLine } from './account-line'

const { dataDir, DATABASE_URL, DATABASE_POOLING, CLOCK_OFFSET_MS } = getConfig()

process.exitCode = await runAccountLine({
  arguments: process.argv.slice(2),
  stdin: process.stdin,
  stdout: text => process.stdout.write(text),
  stderr: text => process.stderr.write(text),
  dataDir,
  databaseUrl: DATABASE_URL,
  pooling: DATABASE_POOLING,
  canVerify: canVerifyAddresses(),
  now: createClock(CLOCK_OFFSET_MS),
})

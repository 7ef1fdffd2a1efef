import { readFileSync } from 'node:fs'
import { isEngineError } from '../../engines/errors'
import { runOn } from '../support/run-on'

/** Runs one job in this separate process and prints its result, its CPU time and its peak memory. */
const [tool = '', options = '{}', ...paths] = process.argv.slice(2)
const files = paths.map(path => readFileSync(path))
const before = process.cpuUsage()
const outcome = await runOn(tool, files, JSON.parse(options)).then(
  result => `${result.bytes.length} bytes`,
  (error: unknown) => (isEngineError(error) ? error.reason : String(error)),
)
const { user, system } = process.cpuUsage(before)
const workMs = Math.round((user + system) / 1000)
process.stdout.write(JSON.stringify({ outcome, workMs, peakBytes: process.resourceUsage().maxRSS * 1024 }))

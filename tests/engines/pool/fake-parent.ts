import { tmpdir } from 'node:os'
import { collectContent } from '../../../engines/output-content'
import { createEngines } from '../../../engines/create-engines'
import { LIMITS } from '../../support/engine-limits'

/**
 * A service that starts a job on each of its two engines and prints the process IDs. The second argument names the
 * tool.
 */
const [childPath, tool] = process.argv.slice(2)
const engines = createEngines({
  childPath: childPath ?? '',
  count: 2,
  maxRssBytes: 400 * 2 ** 20,
  maxQueue: 10,
  spoolFolder: tmpdir(),
})
const job = (name: string) => ({ tool: name, options: {}, files: [], limits: LIMITS })
const deadlines = { openTimeoutMs: 60_000, toolTimeoutMs: 60_000 }

const outputs = await Promise.all([engines.run(job('pid'), deadlines), engines.run(job('pid'), deadlines)])
const pids = await Promise.all(outputs.map(async ({ content }) => Number(await collectContent(content))))
if (tool !== undefined) for (let call = 0; call < pids.length; call += 1) void engines.run(job(tool), deadlines)
setImmediate(() => process.stdout.write(`${JSON.stringify(pids)}\n`))

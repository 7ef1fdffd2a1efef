import { parseArgs } from 'node:util'
import { getConfig } from '../config'
import { runReconcileCommand, type ReconcileRequest } from '../purchases/reconcile-command'
import { askOrDo, messageOf } from './ask-or-do'

const USAGE = 'Usage: npm run --silent reconcile -- [--days N]'

process.exitCode = await runReconcileLine(process.argv.slice(2))

/** Returns 0 without differences, 3 with differences, 1 if the comparison failed, and 2 for wrong arguments. */
async function runReconcileLine(args: string[]): Promise<0 | 1 | 2 | 3> {
  let request: ReconcileRequest
  try {
    request = readRequest(args)
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n${USAGE}\n`)
    return 2
  }
  try {
    const { dataDir, DATABASE_URL, DATABASE_POOLING } = getConfig()
    const reply = await askOrDo(request, { dataDir, databaseUrl: DATABASE_URL, pooling: DATABASE_POOLING }, database =>
      runReconcileCommand(request, database),
    )
    process.stdout.write(`${JSON.stringify(reply)}\n`)
    return typeof reply === 'object' &&
      reply !== null &&
      'differences' in reply &&
      Array.isArray(reply.differences) &&
      reply.differences.length === 0
      ? 0
      : 3
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    return 1
  }
}

function readRequest(args: string[]): ReconcileRequest {
  const { values } = parseArgs({ args, options: { days: { type: 'string' } } })
  if (values.days === undefined) return { reconcile: {} }
  if (!/^[1-9]\d{0,3}$/.test(values.days)) throw new Error('--days must be a whole number of at least 1.')
  return { reconcile: { days: Number(values.days) } }
}

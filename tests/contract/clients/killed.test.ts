import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Sheaf } from '../../../clients/typescript/src/sheaf'
import { makeDataDir } from '../../support/fresh-data-dir'
import { createDatabase, startPostgres, type TestPostgres } from '../../support/postgres'
import { hasPython, PYTHON_ENVIRONMENT } from '../../support/python'
import { type Service, startService } from '../../support/service'
import { eventually, readCalls, SHARED_DATABASES, slowSplit } from '../client'
import { makePdf } from '../documents'

const run = promisify(execFile)
const CREDITS = 1000
const PARTS = 400
/** Leases of 30 s expire before a sweep, every 10 s, refunds the request of the killed process. */
const REFUNDED_MS = 120_000
/** Two starts, a lease, and the pauses of the client. */
const LIMIT_MS = 600_000

let server: TestPostgres | undefined
let folder: string

beforeAll(async () => {
  if (SHARED_DATABASES.length > 0) server = await startPostgres()
  folder = await mkdtemp(join(tmpdir(), 'sheaf-killed-'))
  await writeFile(join(folder, 'long.pdf'), makePdf({ pages: PARTS }))
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Sends a long request and saves its file. */
type Send = (base: string, apiKey: string, path: string) => Promise<unknown>

const sendFromTypeScript: Send = async (baseUrl, apiKey, path) => {
  const sheaf = new Sheaf({ baseUrl, apiKey, maxRetries: 30 })
  const result = await sheaf.splitPdf(join(folder, 'long.pdf'), slowSplit(PARTS))
  return result.save(path)
}

const PROGRAM = `
import sys
from sheaf import Sheaf
base, key, source, target, parts = sys.argv[1:]
sheaf = Sheaf(key, base_url=base, max_retries=30)
sheaf.split_pdf(source, {"ranges": ["1-20"] * int(parts)}).save(target)
`

const sendFromPython: Send = (base, apiKey, path) =>
  run('python3', ['-c', PROGRAM, base, apiKey, join(folder, 'long.pdf'), path, String(PARTS)], {
    env: PYTHON_ENVIRONMENT,
  })

const CLIENTS: [string, Send][] = [
  ['TypeScript', sendFromTypeScript],
  ...(hasPython() ? ([['Python', sendFromPython]] satisfies [string, Send][]) : []),
]

it.each(CLIENTS)(
  'the client for %s gets one file and pays once if the service is killed during the request',
  async (name, send) => {
    const place = { dataDir: await makeDataDir(), ...(server && { databaseUrl: await createDatabase(server) }) }
    const services: Service[] = [await startService(place)]
    try {
      const [first] = services as [Service]
      const email = 'killed@example.test'
      const apiKey = await first.createKey(email, { credits: CREDITS })
      const { creditBalance } = await first.account(email)
      const path = join(folder, `${name}.zip`)
      const sent = send(first.base, apiKey, path)
      await eventually(
        () => readCalls(first.base),
        calls => calls.running > 0,
      )
      await first.kill()
      const second = await startService({ ...place, port: Number(new URL(first.base).port) })
      services.push(second)
      await sent
      expect((await readFile(path)).subarray(0, 2).toString()).toBe('PK')
      await eventually(
        async () => (await second.account(email)).creditBalance,
        balance => balance === creditBalance - 1,
        REFUNDED_MS,
      )
    } finally {
      for (const service of services) await service.stop()
      await rm(place.dataDir, { recursive: true, force: true })
    }
  },
  LIMIT_MS,
)

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Sheaf } from '../../../clients/typescript/src/sheaf'
import { makeDataDir } from '../../support/fresh-data-dir'
import { beginHold } from '../../support/hold'
import { hasPython, PYTHON_ENVIRONMENT } from '../../support/python'
import { startService } from '../../support/service'
import { holdingEngine } from '../../support/shared-services'
import { eventually, readCalls } from '../client'
import { makePdf } from '../documents'

const run = promisify(execFile)
/** The first request runs until the service is killed. */
const hold = beginHold()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-killed-'))
  await writeFile(join(folder, hold.name), makePdf())
})
afterAll(async () => {
  hold.release()
  await rm(folder, { recursive: true, force: true })
})

/** Sends the held request and saves its file. */
type Send = (base: string, apiKey: string, path: string) => Promise<unknown>

const sendFromTypeScript: Send = async (baseUrl, apiKey, path) => {
  const sheaf = new Sheaf({ baseUrl, apiKey, maxRetries: 30 })
  const result = await sheaf.reversePages(join(folder, hold.name))
  return result.save(path)
}

const PROGRAM = `
import sys
from sheaf import Sheaf
base, key, source, target = sys.argv[1:]
sheaf = Sheaf(key, base_url=base, max_retries=30)
sheaf.reverse_pages(source).save(target)
`

const sendFromPython: Send = (base, apiKey, path) =>
  run('python3', ['-c', PROGRAM, base, apiKey, join(folder, hold.name), path], {
    env: PYTHON_ENVIRONMENT,
  })

const CLIENTS: [string, Send][] = [
  ['TypeScript', sendFromTypeScript],
  ...(hasPython() ? ([['Python', sendFromPython]] satisfies [string, Send][]) : []),
]

it(`the client for ${CLIENTS.map(([name]) => name).join(' and ')} gets one file and pays once if the service is killed`, async () => {
  const place = { enginePath: await holdingEngine(), dataDir: await makeDataDir() }
  const first = await startService(place)
  const services = [first]
  try {
    const buyers = []
    for (const [name, send] of CLIENTS) {
      const email = `killed-${name.toLowerCase()}@example.test`
      const apiKey = await first.createKey(email)
      const { creditBalance } = await first.account(email)
      const path = join(folder, `${name}.pdf`)
      buyers.push({ email, creditBalance, path, sent: send(first.base, apiKey, path) })
    }
    await eventually(
      () => readCalls(first.base),
      ({ running, waiting }) => running + waiting === buyers.length,
    )
    await first.kill()
    hold.release()
    const second = await startService({ ...place, port: Number(new URL(first.base).port) })
    services.push(second)
    for (const { email, creditBalance, path, sent } of buyers) {
      await sent
      expect((await readFile(path)).subarray(0, 5).toString()).toBe('%PDF-')
      await eventually(
        async () => (await second.account(email)).creditBalance,
        balance => balance === creditBalance - 1,
      )
    }
  } finally {
    for (const service of services) await service.stop()
    await rm(place.dataDir, { recursive: true, force: true })
  }
})

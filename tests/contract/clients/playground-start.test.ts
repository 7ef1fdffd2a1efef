import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { describePlaygroundEndpoint } from '../../../app/account/playground/playground-endpoints'
import { listEndpoints } from '../../../lib/docs/endpoints'
import { sample } from '../../support/scope'
import type { RunningService } from '../../support/service'
import { type Client, createClient, type Part, toPart } from '../client'
import { usualService } from '../../support/shared-services'

let service: RunningService
let client: Client

beforeAll(async () => {
  service = await usualService()
  client = createClient(service.base, await service.createKey('playground-start@example.test', { credits: 1000 }))
})

const calls = listEndpoints().map(describePlaygroundEndpoint)
/** The start of each endpoint with each of its samples. */
const requests = calls.flatMap(call =>
  (call.files === 'one' ? call.samples.map(name => [name]) : [call.start.files]).map(
    names => [call.path, names, call] as const,
  ),
)

it.each(sample(requests, ([, , { files }]) => files))(
  'the playground begins with a request that works: %s with %j',
  async (path, names, call) => {
    const { files, optionsKey, start } = call
    const parts: Part[] = [
      ...names.map(name =>
        toPart(files === 'many' ? 'files' : 'file', { name, bytes: readFileSync(`public/samples/${name}`) }),
      ),
      ...(optionsKey === undefined
        ? Object.entries(start.options).map(([name, value]) => ({
            name,
            value: typeof value === 'string' ? value : JSON.stringify(value),
          }))
        : [{ name: optionsKey, value: JSON.stringify(start.options) }]),
    ]
    const { status, json } =
      files === 'none' ? await client.sendJson(path, start.options) : await client.sendForm(path, parts)
    expect([status, json['message']]).toEqual([200, undefined])
  },
)

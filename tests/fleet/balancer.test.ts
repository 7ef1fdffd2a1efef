import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { sendRequest } from '../contract/client'
import { openRoundRobin } from './balancer'

const servers: Server[] = []
let close: (() => Promise<void>) | undefined

afterEach(async () => {
  await close?.()
  for (const server of servers.splice(0)) server.close()
})

/** A server that responds with its name. Returns its port. */
async function startServer(name: string): Promise<number> {
  const server = createServer((_, res) => res.end(name)).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // The server listens on a port.
}

it('uses ports in rotation, skips ports that refuse, and follows a new list', async () => {
  const [one, two, three] = [await startServer('one'), await startServer('two'), await startServer('three')]
  const balancer = await openRoundRobin([one, two])
  ;({ close } = balancer)
  const ask = async (times: number) => {
    const responses: string[] = []
    for (let count = 0; count < times; count += 1)
      responses.push((await sendRequest(balancer.base, { path: '/', method: 'GET' })).bytes.toString())
    return responses
  }
  expect(await ask(4)).toEqual(['one', 'two', 'one', 'two'])
  servers.shift()?.close()
  expect(await ask(2)).toEqual(['two', 'two'])
  await balancer.route([three])
  expect(await ask(2)).toEqual(['three', 'three'])
})

it('closes a connection that no port accepts', async () => {
  const balancer = await openRoundRobin([1])
  ;({ close } = balancer)
  await expect(sendRequest(balancer.base, { path: '/', method: 'GET' })).rejects.toThrow(/hang up|ECONNRESET/)
})

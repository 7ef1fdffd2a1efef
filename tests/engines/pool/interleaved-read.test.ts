import { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { readInterleaved } from '../../../engines/pool/interleaved-read'

it('other events are handled after every 128 KiB of a stream', async () => {
  const stream = new Socket()
  const received: number[] = []
  readInterleaved(stream, ({ length }) => received.push(length))
  for (let round = 0; round < 2; round += 1) {
    for (const length of [1, 131_070]) stream.emit('data', Buffer.alloc(length))
    expect(stream.isPaused()).toBe(false)
    stream.emit('data', Buffer.alloc(1))
    expect(stream.isPaused()).toBe(true)
    await nextTurn()
    expect(stream.isPaused()).toBe(false)
  }
  expect(received).toEqual([1, 131_070, 1, 1, 131_070, 1])
})

import type { IncomingMessage } from 'node:http'
import type { BodyReader } from '../../body/body'
import type { Received, ReceiveLimits } from '../../requests/request'
import { ClientGone } from '../connection/client-gone'
import { watchRate } from '../connection/rate-watch'
import { createTooLarge } from './request-head'

/** Time at the start of an upload in which its rate isn't measured. MAX_MS limits any upload. */
const GRACE_MS = 5000
const MAX_MS = 600_000
/** After this many bytes of one body, other requests run. Otherwise the system delivers megabytes at once. */
const TURN_BYTES = 64 * 1024
/** A small body is read at once, because a pause would cost it more than others would gain. */
const SMALL_BYTES = 2 ** 20

interface ReadSettings extends ReceiveLimits {
  /** Without a byte for this long, the connection is closed. */
  stallMs: number
  /** Minimum bytes per second over any 20 s, except at the start. */
  minRate: number
}

/**
 * Reads a request's body with `reader`. Rejects with the reader's refusal, with `payload_too_large` as soon as more
 * than `maxBytes` have arrived, or with the refusal of the memory budget. Rejects with ClientGone and closes the
 * connection if the client closes it, stalls, sends too slowly or takes longer than 10 minutes. After a rejection, the
 * rest of the body stays unread.
 */
export function readBody<Content>(
  req: IncomingMessage,
  reader: BodyReader<Content>,
  settings: ReadSettings,
): Promise<Received<Content>> {
  return new Promise((resolve, reject) => {
    let bytesIn = 0
    let bytesInTurn = 0
    let isWaiting = false
    const { stallMs, minRate } = settings
    const rate = watchRate({ minRate, graceMs: GRACE_MS, stallMs, maxMs: MAX_MS }, reason => {
      fail(new ClientGone(`The upload was ${reason}`))
      req.destroy()
    })

    const onData = (chunk: Buffer) => {
      bytesIn += chunk.length
      rate.record(bytesIn)
      if (bytesIn > settings.maxBytes) return fail(createTooLarge(settings.maxBytes))
      const room = settings.share?.take(chunk.length)
      if (room) waitFor(room)
      try {
        reader.write(chunk)
      } catch (error) {
        return fail(error)
      }
      bytesInTurn += chunk.length
      if (bytesInTurn >= TURN_BYTES && bytesIn > SMALL_BYTES && !isWaiting) yieldToOthers()
    }
    const yieldToOthers = () => {
      bytesInTurn = 0
      req.pause()
      setImmediate(() => {
        if (isListening() && !isWaiting) req.resume()
      })
    }
    const waitFor = (room: Promise<void>) => {
      isWaiting = true
      rate.pause()
      req.pause()
      room.then(
        () => {
          isWaiting = false
          rate.resume()
          if (isListening()) req.resume()
        },
        (error: unknown) => {
          isWaiting = false
          if (isListening()) fail(error)
        },
      )
    }
    const onEnd = () => {
      stopListening()
      Promise.resolve()
        .then(() => reader.end())
        .then(body => resolve({ body, bytesIn }), reject)
    }
    const onGone = () => fail(new ClientGone('The client hung up while it was sending'))
    const fail = (error: unknown) => {
      stopListening()
      if (!isWaiting) req.pause()
      reject(error)
    }
    const isListening = () => req.listeners('data').includes(onData)
    const stopListening = () => {
      rate.stop()
      req.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone)
      // If the connection breaks later, the response was sent already, or nobody can receive it.
      req.on('error', () => {})
    }

    if (req.destroyed && !req.readableEnded) return onGone()
    req.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone)
  })
}

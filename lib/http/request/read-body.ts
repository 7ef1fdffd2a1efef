import type { IncomingMessage } from 'node:http'
import type { Body, BodyReader } from '../../body/body'
import type { BodyShare } from '../limits/body-memory'
import { ClientGone } from '../connection/client-gone'
import { watchRate } from '../connection/rate-watch'
import { createTooLarge } from './request-head'

/** Time in the beginning of an upload in which its rate isn't measured, and the time that no upload exceeds. */
const GRACE_MS = 5000
const MAX_MS = 600_000
/** After so many bytes of one body the others have their turn: the system hands over megabytes at a time, if it may. */
const TURN_BYTES = 64 * 1024
/** A small body is done before anybody would notice, and a turn costs it more than it gives others. */
const SMALL_BYTES = 2 ** 20

interface ReadSettings {
  maxBytes: number
  /** Without a byte for that long, the connection is closed. */
  stallMs: number
  /** Bytes a second that a body must bring over any 20 s, but for its beginning. */
  minRate: number
  share: BodyShare
}

/** A body and its size on the wire. */
export interface ReceivedBody {
  body: Body
  bytesIn: number
}

/**
 * Reads a request's body through `reader`. Rejects with the reader's refusal, with `payload_too_large` as soon as more
 * than `maxBytes` have come, with what the share of memory refuses, or with ClientGone when the client hangs up,
 * stalls, sends too slowly or takes longer than 10 minutes; the last three close the connection. After a rejection the
 * rest of the body is left unread.
 */
export function readBody(req: IncomingMessage, reader: BodyReader, settings: ReadSettings): Promise<ReceivedBody> {
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
      rate.note(bytesIn)
      if (bytesIn > settings.maxBytes) return fail(createTooLarge(settings.maxBytes))
      const room = settings.share.take(chunk.length)
      if (room) waitFor(room)
      try {
        reader.write(chunk)
      } catch (error) {
        return fail(error)
      }
      bytesInTurn += chunk.length
      if (bytesInTurn >= TURN_BYTES && bytesIn > SMALL_BYTES && !isWaiting) giveWay()
    }
    const giveWay = () => {
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
      req.on('error', () => {}) // a connection that breaks later has been answered already, or has nobody to answer
    }

    if (req.destroyed && !req.readableEnded) return onGone()
    req.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone)
  })
}

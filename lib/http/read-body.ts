import type { IncomingMessage } from 'node:http'
import type { Body, BodyReader } from './body'
import type { BodyShare } from './body-memory'
import { ClientGone } from './client-gone'
import { createTooLarge } from './request-head'

/** A body has to come at this pace on the average, once the first half minute is over. */
const LEAST_BYTES_PER_SECOND = 1024
const GRACE_MS = 30_000
/** After so many bytes of one body the others have their turn: the system hands over megabytes at a time, if it may. */
const TURN_BYTES = 64 * 1024
/** A small body is done before anybody would notice, and a turn costs it more than it gives others. */
const SMALL_BYTES = 2 ** 20

interface ReadSettings {
  maxBytes: number
  /** Without a byte for that long, the connection is closed. */
  stallMs: number
  share: BodyShare
}

/** A body and its size on the wire. */
export interface ReceivedBody {
  body: Body
  bytesIn: number
}

/**
 * Reads a request's body through `reader`. Rejects with the reader's refusal, with `payload_too_large` as soon as more
 * than `maxBytes` have come, or with ClientGone when the client hangs up, stalls or sends too slowly; the last two close
 * the connection. After a rejection the rest of the body is left unread.
 */
export function readBody(req: IncomingMessage, reader: BodyReader, settings: ReadSettings): Promise<ReceivedBody> {
  return new Promise((resolve, reject) => {
    let bytesIn = 0
    let bytesInTurn = 0
    let isWaiting = false
    const pace = watchPace(settings.stallMs, reason => {
      fail(new ClientGone(reason))
      req.destroy()
    })

    const onData = (chunk: Buffer) => {
      bytesIn += chunk.length
      pace.note(bytesIn)
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
      pace.pause()
      req.pause()
      void room.then(() => {
        isWaiting = false
        pace.resume()
        if (isListening()) req.resume()
      })
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
      pace.stop()
      req.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone)
      req.on('error', () => {}) // a connection that breaks later has been answered already, or has nobody to answer
    }

    if (req.destroyed && !req.readableEnded) return onGone()
    req.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone)
  })
}

/** Calls `onSlow` once when bytes stop coming or come too slowly; time in which we did not read does not count. */
function watchPace(stallMs: number, onSlow: (reason: string) => void) {
  let received = 0
  let sinceByteMs = 0
  let totalMs = 0
  let isPaused = false
  let last = performance.now()
  const tick = () => {
    const now = performance.now()
    const elapsed = isPaused ? 0 : now - last
    last = now
    sinceByteMs += elapsed
    totalMs += elapsed
    if (sinceByteMs >= stallMs) onSlow('The client stopped sending')
    else if (totalMs >= GRACE_MS && received < (totalMs / 1000) * LEAST_BYTES_PER_SECOND) onSlow('The client sends too slowly')
  }
  const timer = setInterval(tick, Math.min(1000, stallMs / 4))
  return {
    note(bytes: number) {
      const now = performance.now()
      if (!isPaused) totalMs += now - last
      last = now
      received = bytes
      sinceByteMs = 0
    },
    pause() {
      isPaused = true
    },
    resume() {
      isPaused = false
      last = performance.now()
    },
    stop() {
      clearInterval(timer)
    },
  }
}

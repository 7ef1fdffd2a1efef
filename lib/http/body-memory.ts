/** The part of the budget that one call's body holds. */
export interface BodyShare {
  /** Counts bytes that are about to be held. A promise means: read no further until it resolves. */
  take(bytes: number): Promise<void> | undefined
  /** Lets go of everything; also ends a wait. */
  close(): void
}

/** A budget of bytes for the bodies that are held at the same time. */
export interface BodyMemory {
  open(): BodyShare
  /** Bytes counted at the moment. */
  readonly used: number
}

/**
 * Makes a budget of `maxBytes`. Over it, readers wait in the order in which they asked. The oldest share never waits, so
 * that half-read bodies cannot wait for each other for ever; the budget can be exceeded by that one body.
 */
export function createBodyMemory(maxBytes: number): BodyMemory {
  const shares = new Map<BodyShare, number>()
  const waiting: { share: BodyShare; bytes: number; resume: () => void }[] = []
  let used = 0

  const isOldest = (share: BodyShare) => shares.keys().next().value === share
  const fits = (share: BodyShare, bytes: number) => used + bytes <= maxBytes || isOldest(share)
  const count = (share: BodyShare, bytes: number) => {
    used += bytes
    shares.set(share, (shares.get(share) ?? 0) + bytes)
  }
  const admit = () => {
    for (let index = 0; index < waiting.length; ) {
      const turn = waiting[index]
      // Behind the first one who has to wait only the oldest may pass.
      if (!turn || (index > 0 && !isOldest(turn.share)) || !fits(turn.share, turn.bytes)) {
        index++
        continue
      }
      waiting.splice(index, 1)
      count(turn.share, turn.bytes)
      turn.resume()
    }
  }

  return {
    get used() {
      return used
    },
    open() {
      const share: BodyShare = {
        take(bytes) {
          const mayPass = waiting.length === 0 || isOldest(share)
          if (mayPass && fits(share, bytes)) {
            count(share, bytes)
            return undefined
          }
          return new Promise<void>(resume => waiting.push({ share, bytes, resume }))
        },
        close() {
          used -= shares.get(share) ?? 0
          shares.delete(share)
          for (const turn of waiting.filter(turn => turn.share === share)) {
            waiting.splice(waiting.indexOf(turn), 1)
            turn.resume()
          }
          admit()
        },
      }
      shares.set(share, 0)
      return share
    },
  }
}

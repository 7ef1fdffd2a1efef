import type { Reached } from './reachable'

const NUMBER_SIGN = 0x23
const SLASH = 0x2f

/**
 * Searches the bytes of objects for names, so that only objects with one of them need to be parsed. The result may be
 * wrong in one direction only: an object that matches may have none of the names.
 */
export class NameSearch {
  /** The words without their slash, as bytes, by their first byte. */
  private readonly words: (Uint8Array[] | undefined)[] = []

  /** Each word is a name with its slash, or the beginning of names. */
  constructor(words: readonly string[]) {
    for (const word of words) {
      const bytes = Buffer.from(word.slice(1), 'latin1')
      const first = bytes[0] as number // a word is longer than its slash
      ;(this.words[first] ??= []).push(bytes)
    }
  }

  /**
   * Returns whether an object may have one of the names. Stream data doesn't count. Changed objects and objects with an
   * escape in a name always match.
   */
  mayMatch(reached: Reached, slot: number): boolean {
    const bytes = reached.buffers[slot]
    if (!bytes) return true
    const end = reached.heads[slot] as number
    for (let at = reached.bodies[slot] as number; at < end; at++) {
      const byte = bytes[at]
      if (byte === NUMBER_SIGN) return true
      if (byte === SLASH && this.isWordAt(bytes, at + 1, end)) return true
    }
    return false
  }

  private isWordAt(bytes: Uint8Array, at: number, end: number): boolean {
    const candidates = this.words[bytes[at] as number]
    if (!candidates) return false
    return candidates.some(word => {
      if (at + word.length > end) return false
      for (let index = 1; index < word.length; index++) if (bytes[at + index] !== word[index]) return false
      return true
    })
  }
}

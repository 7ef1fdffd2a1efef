interface Edit {
  start: number
  end: number
  text: string
}

/** Changes to a content stream; what no change touches keeps its bytes. */
export class StreamEdits {
  private readonly list: Edit[] = []

  get count(): number {
    return this.list.length
  }

  /** Puts `text` (Latin-1) in the place of the bytes from `start` to `end`. Places must not overlap. */
  replace(start: number, end: number, text: string): void {
    this.list.push({ start, end, text })
  }

  /** The stream with all changes. */
  apply(bytes: Uint8Array): Uint8Array {
    const parts: Uint8Array[] = []
    let at = 0
    for (const { start, end, text } of this.list.sort((one, other) => one.start - other.start)) {
      parts.push(bytes.subarray(at, start))
      // Nothing runs together: an operator may touch its neighbor's string or bracket.
      parts.push(Buffer.from(text === '' ? ' ' : ` ${text} `, 'latin1'))
      at = end
    }
    parts.push(bytes.subarray(at))
    return Buffer.concat(parts)
  }
}

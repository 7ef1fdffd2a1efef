interface Edit {
  start: number
  end: number
  text: string
}

/** Collects changes to a content stream. All other bytes stay. */
export class StreamEdits {
  private readonly list: Edit[] = []

  private tidied = 0

  /** The number of changes, apart from those that only matter beside others. */
  get count(): number {
    return this.list.length - this.tidied
  }

  /** Replaces the bytes from `start` to `end` with `text` (Latin-1). Ranges must not overlap. */
  replace(start: number, end: number, text: string): void {
    this.list.push({ start, end, text })
  }

  /** Replaces bytes like `replace`, with operations that mean the same. Doesn't count as a change. */
  tidy(start: number, end: number, text: string): void {
    this.replace(start, end, text)
    this.tidied++
  }

  /** Returns the stream with all changes. */
  apply(bytes: Uint8Array): Uint8Array {
    const parts: Uint8Array[] = []
    let at = 0
    for (const { start, end, text } of this.list.sort((one, other) => one.start - other.start)) {
      parts.push(bytes.subarray(at, start))
      // Add spaces, because an operator may directly follow a string or a bracket.
      parts.push(Buffer.from(text === '' ? ' ' : ` ${text} `, 'latin1'))
      at = end
    }
    parts.push(bytes.subarray(at))
    return Buffer.concat(parts)
  }
}

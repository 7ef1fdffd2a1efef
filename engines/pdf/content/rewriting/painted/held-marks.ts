/** Maximum number of nested marked-content sequences. */
const MAX_OPEN = 10_000

interface Mark {
  /** The operation that begins the sequence. */
  text: string
  /** The operation to write if nothing is painted in the sequence. Undefined if the sequence is then left out. */
  emptyText: string | undefined
  /** How many graphics states were saved when it began, and whether a text object was open. */
  depth: number
  isInText: boolean
  isWritten: boolean
}

/** Marked-content sequences (ISO 32000-2, 14.6) that aren't written yet. They begin when something is painted in them. */
export class HeldMarks {
  private readonly open: Mark[] = []
  private unfollowed = 0
  /** How many of the open sequences are written. They are the first ones. */
  private writtenCount = 0

  constructor(private readonly write: (text: string) => void) {}

  begin(mark: Omit<Mark, 'isWritten'>): void {
    if (this.open.length >= MAX_OPEN) this.unfollowed++
    else this.open.push({ ...mark, isWritten: false })
  }

  end(): void {
    if (this.unfollowed > 0) {
      this.unfollowed--
      return
    }
    const mark = this.open.pop()
    if (!mark) return
    if (!mark.isWritten) {
      if (mark.emptyText === undefined) return
      this.writeAll()
      this.write(`${mark.emptyText} EMC`)
      return
    }
    this.writtenCount--
    this.write('EMC')
  }

  /** Writes the sequences that began outside of text when at most `depth` graphics states were saved. */
  writeTo(depth: number): void {
    this.writeWhile(mark => mark.depth <= depth && !mark.isInText)
  }

  writeAll(): void {
    this.writeWhile(() => true)
  }

  /** Ends the sequences that the content left open. */
  finish(): void {
    while (this.open.length > 0) this.end()
  }

  private writeWhile(isDue: (mark: Mark) => boolean): void {
    for (; this.writtenCount < this.open.length; this.writtenCount++) {
      const mark = this.open[this.writtenCount] as Mark // below the length
      if (!isDue(mark)) return
      mark.isWritten = true
      this.write(mark.text)
    }
  }
}

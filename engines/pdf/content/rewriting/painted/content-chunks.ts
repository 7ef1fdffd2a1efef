/** Length of the text that is collected before it becomes bytes. */
const CHUNK_LENGTH = 65_536

/** Content that is written piece by piece. */
export class ContentChunks {
  private readonly chunks: Uint8Array[] = []
  private text = ''

  /** Adds operations in Latin-1. */
  add(operations: string): void {
    this.text += `${operations}\n`
    if (this.text.length >= CHUNK_LENGTH) this.flush()
  }

  /** Returns all that was added. */
  finish(): Uint8Array {
    this.flush()
    return Buffer.concat(this.chunks)
  }

  private flush(): void {
    this.chunks.push(Buffer.from(this.text, 'latin1'))
    this.text = ''
  }
}

/** Where the files of a zipped page are in its ZIP. An engine writes it as JSON, the printer process reads it. */
export interface ArchiveIndex {
  /** Path of the page. */
  entry: string
  files: IndexedFile[]
}

/** A file that an engine has unpacked once, so its sizes are true. */
export interface IndexedFile {
  /** Path that the web server of the page would use. It begins with `/`. */
  path: string
  /** Position of the first packed byte. */
  start: number
  packedBytes: number
  byteLength: number
  isDeflated: boolean
}

// Internal modules of JSZip without types. The version is pinned.

declare module 'jszip/lib/compressions.js' {
  const compressions: { STORE: object }
  export default compressions
}

declare module 'jszip/lib/stream/DataWorker.js' {
  /** Emits data piece by piece, one piece per tick. */
  export default class DataWorker<Data extends { length: number } = Uint8Array> {
    constructor(data: Promise<Data>)
    data: Data | null
    index: number
    /** Length of the data. */
    max: number
    isPaused: boolean
    isFinished: boolean
    push(chunk: { data: Uint8Array; meta: { percent: number } }): void
    end(): boolean
    withStreamInfo(key: string, value: unknown): this
    /** Emits the next piece, or ends. */
    _tick(): void
  }
}

declare module 'jszip/lib/compressedObject.js' {
  import type DataWorker from 'jszip/lib/stream/DataWorker.js'

  /** JSZip's representation of an entry in a loaded ZIP. `file` accepts it as data. */
  export default class CompressedObject extends Uint8Array {
    constructor(compressedSize: number, uncompressedSize: number, crc32: number, compression: object, data: Uint8Array)
    compressedSize: number
    uncompressedSize: number
    crc32: number
    compression: object
    getCompressedWorker(): DataWorker<Uint8Array[]>
  }
}

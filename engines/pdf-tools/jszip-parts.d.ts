// Parts of JSZip that its own types leave out; the version is pinned.

declare module 'jszip/lib/compressions.js' {
  const compressions: { STORE: object }
  export default compressions
}

declare module 'jszip/lib/compressedObject.js' {
  /** What JSZip keeps of an entry of a ZIP that it loaded; its `file` takes one in place of data. */
  export default class CompressedObject extends Uint8Array {
    constructor(compressedSize: number, uncompressedSize: number, crc32: number, compression: object, data: Uint8Array)
  }
}

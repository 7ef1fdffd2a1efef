// Internal modules of JSZip without types. The version is pinned.

declare module 'jszip/lib/compressions.js' {
  const compressions: { STORE: object }
  export default compressions
}

declare module 'jszip/lib/compressedObject.js' {
  /** JSZip's representation of an entry in a loaded ZIP. `file` accepts it as data. */
  export default class CompressedObject extends Uint8Array {
    constructor(compressedSize: number, uncompressedSize: number, crc32: number, compression: object, data: Uint8Array)
  }
}

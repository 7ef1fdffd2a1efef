// The package comes without types.
declare module 'wawoff2' {
  const wawoff: { decompress(file: Uint8Array): Promise<Uint8Array> }
  export default wawoff
}

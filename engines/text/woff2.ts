/** Gives the TrueType bytes of a WOFF2 file (W3C WOFF 2.0, 5); a copy that belongs to the caller. */
export type DecodeWoff2 = (file: Uint8Array) => Uint8Array

let opened: Promise<DecodeWoff2> | undefined

/** The decoder, compiled when it is first needed and kept by the process. */
export function openWoff2(): Promise<DecodeWoff2> {
  return (opened ??= compile())
}

async function compile(): Promise<DecodeWoff2> {
  // The package's own door answers by a promise each time; behind it is a function that answers at once.
  const { default: binding } = await import('wawoff2/build/decompress_binding.js')
  if (!binding.calledRun) {
    await new Promise<void>(resolve => {
      binding.onRuntimeInitialized = resolve
    })
  }
  return file => {
    const decoded = binding.decompress(file)
    if (!decoded) throw new Error('a font file is damaged')
    return decoded.slice() // what comes back lies in the decoder's memory, which the next file overwrites
  }
}

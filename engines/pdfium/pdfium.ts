import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { init } from '@embedpdf/pdfium'
import type { WrappedPdfiumModule } from '@embedpdf/pdfium'

export type Pdfium = WrappedPdfiumModule

let opened: Promise<Pdfium> | undefined

/** PDFium, compiled when it is first needed and kept by the process. */
export function openPdfium(): Promise<Pdfium> {
  return (opened ??= compile())
}

async function compile(): Promise<Pdfium> {
  const wasm = await readFile(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm'))
  const pdfium = await init({ wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) })
  pdfium.PDFiumExt_Init()
  return pdfium
}

import { readFile } from 'node:fs/promises'
import { findFileOf, findPackageFile } from '../../../installed-package'
import type { WorkerData } from './recognize-in-worker'

/** WebAssembly builds of Tesseract: first the build for processors with SIMD, then the build for all others. */
const BUILDS = ['tesseract.js-core/tesseract-core-simd-lstm', 'tesseract.js-core/tesseract-core-lstm']

/** The build that includes the legacy engine of Tesseract, and its model for detecting orientation. */
const ORIENTATION = {
  script: 'tesseract.js-core/tesseract-core-simd.js',
  model: '@tesseract.js-data/osd/4.0.0/osd.traineddata.gz',
}

let compiling: Promise<WorkerData> | undefined

/**
 * Compiles Tesseract once for all threads of this process. The threads share the optimized code, because optimizing
 * takes as long as recognizing a page. Rejects if no build can be compiled.
 */
export function compileCore(): Promise<WorkerData> {
  compiling ??= compileFirst(BUILDS)
  compiling.catch(() => (compiling = undefined)) // the next document tries again
  return compiling
}

async function compileFirst([build, ...otherBuilds]: string[]): Promise<WorkerData> {
  if (build === undefined) throw new RangeError('no build is left to try')
  try {
    const compiled = await WebAssembly.compile(await readFile(findCore(`${build}.wasm`)))
    return {
      script: findCore(`${build}.js`),
      module: compiled,
      orientation: build === BUILDS[0] ? findOrientation() : undefined,
    }
  } catch (error) {
    if (otherBuilds.length === 0 || !(error instanceof WebAssembly.CompileError)) throw error
    return compileFirst(otherBuilds)
  }
}

/** Returns undefined if the package of the model isn't installed. Then pages are tried in all orientations. */
function findOrientation(): WorkerData['orientation'] {
  try {
    return { script: findCore(ORIENTATION.script), model: findPackageFile(ORIENTATION.model) }
  } catch {
    return undefined // recognition still works without the model, but takes longer
  }
}

/** Returns the path of a file of tesseract.js-core. */
function findCore(name: string): string {
  return findFileOf('tesseract.js', name)
}

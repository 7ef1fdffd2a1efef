import { readFile } from 'node:fs/promises'
import { findFileOf, findPackageFile } from '../../package-file'
import type { WorkerData } from './worker-program'

/** Tesseract as WebAssembly: the build for processors with vector instructions, and the one for all others. */
const BUILDS = ['tesseract.js-core/tesseract-core-simd-lstm', 'tesseract.js-core/tesseract-core-lstm']

/** The build that has the older kind of recognizer too, and its model of how letters lie. */
const ORIENTATION = {
  script: 'tesseract.js-core/tesseract-core-simd.js',
  model: '@tesseract.js-data/osd/4.0.0/osd.traineddata.gz',
}

let compiling: Promise<WorkerData> | undefined

/**
 * Tesseract's code, compiled once for all threads of this process: they share it with what the compiler improves while
 * it runs, which takes as long as reading a page. Rejects when no build can be compiled.
 */
export function compileCore(): Promise<WorkerData> {
  compiling ??= compileFirst(BUILDS)
  compiling.catch(() => (compiling = undefined)) // the next document tries again
  return compiling
}

async function compileFirst([build, ...others]: string[]): Promise<WorkerData> {
  if (build === undefined) throw new RangeError('no build is left to try')
  try {
    const compiled = await WebAssembly.compile(await readFile(findCore(`${build}.wasm`)))
    return {
      script: findCore(`${build}.js`),
      module: compiled,
      orientation: build === BUILDS[0] ? findOrientation() : undefined,
    }
  } catch (error) {
    if (others.length === 0 || !(error instanceof WebAssembly.CompileError)) throw error
    return compileFirst(others)
  }
}

/** Undefined without the package of the model: pages are tried in all orientations then. */
function findOrientation(): WorkerData['orientation'] {
  try {
    return { script: findCore(ORIENTATION.script), model: findPackageFile(ORIENTATION.model) }
  } catch {
    return undefined // nothing but time is lost
  }
}

/** A file of the core that tesseract.js runs. */
function findCore(name: string): string {
  return findFileOf('tesseract.js', name)
}

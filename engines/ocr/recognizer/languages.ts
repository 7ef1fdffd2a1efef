import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EngineError } from '../../errors'
import { findPackageFile } from '../../package-file'

/**
 * The scope of the packages that hold one language each, and the kind of model that is used: whole numbers are quicker.
 */
const SCOPE = '@tesseract.js-data'
const MODEL = '4.0.0_best_int'

/** A package of the scope that holds no language to read: it tells scripts apart for a recognizer of the older kind. */
const NO_LANGUAGE = 'osd'

/** The language that is installed always: where the others are looked for. */
const USUAL = 'eng'

/**
 * A model in a folder of the operator: a code that can neither leave the folder nor mean something to Tesseract, and
 * its ending.
 */
const MODEL_FILE = /^([A-Za-z][A-Za-z0-9_]{1,39})\.traineddata(\.gz)?$/

let installed: ReadonlyMap<string, string> | undefined

/** Models of packages by the code of their language. */
function listInstalled(): ReadonlyMap<string, string> {
  if (installed) return installed
  const scope = dirname(dirname(findPackageFile(`${SCOPE}/${USUAL}/package.json`)))
  const codes = listFolder(scope).filter(
    name => name !== NO_LANGUAGE && listFolder(join(scope, name, MODEL)).includes(`${name}.traineddata.gz`),
  )
  return (installed = new Map(codes.map(code => [code, join(scope, code, MODEL, `${code}.traineddata.gz`)])))
}

/** Models by the code of their language; those in the folder go before those of packages. */
function listModels(folder: string | undefined): ReadonlyMap<string, string> {
  if (folder === undefined) return listInstalled()
  const own = listFolder(folder).flatMap((name): [string, string][] => {
    const code = MODEL_FILE.exec(name)?.[1]
    return code === undefined || code === NO_LANGUAGE ? [] : [[code, join(folder, name)]]
  })
  return new Map([...listInstalled(), ...own])
}

/** Nothing where there is no folder: no model of it can be offered. */
function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // a package of another kind, or a folder that is gone
  }
}

/**
 * The codes without repeats, in their order. A code becomes part of a path and of what the recognizer is told, so
 * nothing passes but what a package or a model in `folder` is there for. Throws EngineError `bad-options` that names
 * every other one and what there is.
 */
export function resolveLanguages(codes: readonly string[], param: string, folder?: string): string[] {
  const known = listModels(folder)
  const problems = codes.flatMap((code, index) => {
    if (known.has(code)) return []
    const where = `${param}[${index}]`
    return [
      {
        param: where,
        message: `${where}: "${code.slice(0, 40)}" is no installed language; use ${[...known.keys()].sort().join(', ')}`,
      },
    ]
  })
  if (problems[0]) throw new EngineError('bad-options', problems[0].message, { problems })
  return [...new Set(codes)]
}

/** The path of the model of a language that `resolveLanguages` let pass. */
export function findModel(language: string, folder: string | undefined): string {
  const path = listModels(folder).get(language)
  if (path === undefined)
    throw new EngineError('internal', 'Text recognition could not be started.', {
      cause: new Error(`the model of ${language} is gone`),
    })
  return path
}

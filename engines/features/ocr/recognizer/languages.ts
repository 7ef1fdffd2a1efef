import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EngineError } from '../../../errors'
import { findPackageFile } from '../../../installed-package'

/**
 * The npm scope of the packages with one language each, and the kind of model. Integer models are faster.
 */
const SCOPE = '@tesseract.js-data'
const MODEL = '4.0.0_best_int'

/** A package of the scope without a language. It detects scripts and orientation for the legacy engine of Tesseract. */
const NO_LANGUAGE = 'osd'

/** The language that is always installed. Other languages are searched next to it. */
const DEFAULT_LANGUAGE = 'eng'

/**
 * The file name of a model in the operator's folder. The language code can't leave the folder and has no special
 * meaning to Tesseract.
 */
const MODEL_FILE = /^([A-Za-z][A-Za-z0-9_]{1,39})\.traineddata(\.gz)?$/

let installed: ReadonlyMap<string, string> | undefined

/** Returns the paths of the models in packages by language code. */
function listInstalled(): ReadonlyMap<string, string> {
  if (installed) return installed
  const scope = dirname(dirname(findPackageFile(`${SCOPE}/${DEFAULT_LANGUAGE}/package.json`)))
  const codes = listFolder(scope).filter(
    name => name !== NO_LANGUAGE && listFolder(join(scope, name, MODEL)).includes(`${name}.traineddata.gz`),
  )
  return (installed = new Map(codes.map(code => [code, join(scope, code, MODEL, `${code}.traineddata.gz`)])))
}

/** Returns the paths of all models by language code. Models in the folder take precedence over packages. */
function listModels(folder: string | undefined): ReadonlyMap<string, string> {
  if (folder === undefined) return listInstalled()
  const folderModels = listFolder(folder).flatMap((name): [string, string][] => {
    const code = MODEL_FILE.exec(name)?.[1]
    return code === undefined || code === NO_LANGUAGE ? [] : [[code, join(folder, name)]]
  })
  return new Map([...listInstalled(), ...folderModels])
}

/** Returns the names in a folder, or nothing if it doesn't exist. */
function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // a package of another kind, or a folder that is gone
  }
}

/**
 * Returns the codes without duplicates, in their order. A code becomes part of a path and of the settings of Tesseract.
 * Only codes with an installed package or a model in `folder` are allowed. Throws EngineError `options_invalid` that lists
 * every other code and the installed languages.
 */
export function resolveLanguages(codes: readonly string[], param: string, folder?: string): string[] {
  const models = listModels(folder)
  const problems = codes.flatMap((code, index) => {
    if (models.has(code)) return []
    const where = `${param}[${index}]`
    return [
      {
        param: where,
        message:
          `${where}: must be an installed language. Got "${code.slice(0, 40)}". Use ` +
          `${[...models.keys()].sort().join(', ')}.`,
      },
    ]
  })
  if (problems[0]) throw new EngineError('options_invalid', problems[0].message, { problems })
  return [...new Set(codes)]
}

/** Returns the path of the model of a language that `resolveLanguages` returned. */
export function findModel(language: string, folder: string | undefined): string {
  const path = listModels(folder).get(language)
  if (path === undefined)
    throw new EngineError('internal', 'Text recognition could not be started.', {
      cause: new Error(`the model of ${language} is gone`),
    })
  return path
}

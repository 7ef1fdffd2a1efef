import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { EngineError } from '../errors'
import { findPackageFile } from '../package-file'

/** The scope of the packages that hold one language each, and the kind of model that is used: whole numbers are quicker. */
const SCOPE = '@tesseract.js-data'
const MODEL = '4.0.0_best_int'

/** A package of the scope that holds no language to read: it tells scripts apart for a recogniser of the older kind. */
const NO_LANGUAGE = 'osd'

/** The language that is installed always: where the others are looked for. */
const USUAL = 'eng'

let installed: string[] | undefined

/** Codes of the languages that are installed, sorted. */
function listLanguages(): string[] {
  return (installed ??= readdirSync(findScope()).filter(name => name !== NO_LANGUAGE && hasModel(name)).sort())
}

/**
 * The codes without repeats, in their order. A code becomes part of a path and of what the recogniser is told, so nothing
 * but what is installed passes. Throws EngineError `bad-options` that names every other one and what is installed.
 */
export function resolveLanguages(codes: readonly string[], param: string): string[] {
  const known = listLanguages()
  const problems = codes.flatMap((code, index) => {
    if (known.includes(code)) return []
    const where = `${param}[${index}]`
    return [{ param: where, message: `${where}: "${code.slice(0, 40)}" is no installed language; use ${known.join(', ')}` }]
  })
  if (problems[0]) throw new EngineError('bad-options', problems[0].message, { problems })
  return [...new Set(codes)]
}

/**
 * Calls `load` with a folder that holds the models of these languages, which have to be installed. The folder may go
 * again as soon as they are loaded: the recogniser takes one folder only, and each language has a package of its own.
 */
export async function withModels<Result>(languages: readonly string[], load: (folder: string) => Promise<Result>): Promise<Result> {
  const [first] = languages
  if (first !== undefined && languages.length === 1) return load(join(findScope(), first, MODEL))
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-languages-'))
  try {
    for (const language of languages) copyFileSync(join(findScope(), language, MODEL, fileOf(language)), join(folder, fileOf(language)))
    return await load(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function findScope(): string {
  return dirname(dirname(findPackageFile(`${SCOPE}/${USUAL}/package.json`)))
}

function hasModel(name: string): boolean {
  try {
    return readdirSync(join(findScope(), name, MODEL)).includes(fileOf(name))
  } catch {
    return false // not a package of this kind: it can't be offered
  }
}

function fileOf(language: string): string {
  return `${language}.traineddata.gz`
}

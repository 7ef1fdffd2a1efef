// Reads the imports of one file, for the checks that follow them.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'

/** All imports of a file, including type imports: `{ line, specifier, target?, package?, types, reexport }`. */
export function readImports(root, file) {
  const source = readFileSync(join(root, file), 'utf8')
  const { module, errors } = parseSync(file, source)
  if (errors.length) throw new Error(`${file} can't be parsed: ${errors[0].message}`)
  const edge = (request, start, types, reexport = false) => ({
    line: source.slice(0, start).split('\n').length,
    specifier: request,
    types,
    reexport,
    ...resolve(root, file, request),
  })
  return [
    ...module.staticImports.map(one =>
      edge(one.moduleRequest.value, one.start, one.entries.length > 0 && one.entries.every(entry => entry.isType)),
    ),
    ...module.staticExports.flatMap(one =>
      one.entries
        .filter(entry => entry.moduleRequest)
        .map(entry => edge(entry.moduleRequest.value, one.start, entry.isType, true)),
    ),
    ...module.dynamicImports.flatMap(one => {
      const literal = /^['"]([^'"]+)['"]$/.exec(source.slice(one.moduleRequest.start, one.moduleRequest.end))
      return literal ? [edge(literal[1], one.start, false)] : []
    }),
  ]
}

function resolve(root, file, specifier) {
  if (!specifier.startsWith('.')) return { package: specifier.startsWith('node:') ? specifier : packageOf(specifier) }
  const path = join(dirname(file), specifier)
  // A package that is compiled file by file names the compiled files.
  const found = [path, `${path}.ts`, `${path}.tsx`, `${path}.d.ts`, path.replace(/\.js$/, '.ts')].find(
    one => existsSync(join(root, one)) && statSync(join(root, one)).isFile(),
  )
  return { target: found ?? '' }
}

function packageOf(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

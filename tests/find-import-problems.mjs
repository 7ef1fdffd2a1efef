// Finds imports that tests/boundaries.cjs forbids, and import cycles.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { readImports } from './read-imports.mjs'
import { emptyNames, fileName, mayImport, mayNotReach, mayNotUse, rooms, toolList } from './boundaries.cjs'

const FOLDERS = ['app', 'lib', 'engines', 'db', 'clients', 'tests']
/** Folders of built packages. */
const BUILT = 'dist'
const CODE = /\.(ts|tsx|mjs)$/
/** The library whose files are private, except for those directly in its folder. */
const PDF = 'engines/pdf/'
/** The folders in which types count too. */
const TYPED = /^engines\//
/** The folders whose rooms have rows. */
const ROOMED = /^(engines|lib)\//
const PRODUCT = /^(app|lib|engines|db)\//

/** Reads every import of a tree. Returns the counts of files and imports, and what is against the rules. */
export function checkTree(root) {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const files = [
    ...FOLDERS.flatMap(folder => listFiles(root, folder)),
    ...readdirSync(root).filter(name => CODE.test(name) && name !== 'next-env.d.ts'),
  ]
  const code = new Map(files.filter(file => CODE.test(file)).map(file => [file, readImports(root, file)]))
  const tools = (code.get(toolList) ?? []).filter(edge => edge.reexport).map(edge => edge.target)
  const problems = [
    ...files.flatMap(checkName),
    ...[...code].flatMap(([file, edges]) => edges.flatMap(edge => checkEdge(file, edge, { dependencies, tools }))),
    ...mayNotReach.flatMap(rule => findWays(code, rule)),
    ...findFileCircles(code),
    ...findFolderCircles(code),
  ]
  return { fileCount: code.size, importCount: [...code.values()].flat().length, problems }
}

function listFiles(root, folder) {
  const path = join(root, folder)
  if (!existsSync(path)) return []
  return readdirSync(path, { withFileTypes: true }).flatMap(entry =>
    entry.isDirectory()
      ? entry.name === BUILT
        ? []
        : listFiles(root, join(folder, entry.name))
      : entry.name.startsWith('.')
        ? []
        : [join(folder, entry.name)],
  )
}

function checkName(file) {
  const name = basename(file)
  const stem = name.split('.')[0]
  if (emptyNames.test(stem)) return [`${file}: this name says nothing about what is inside`]
  return fileName.test(name) || !CODE.test(name) ? [] : [`${file}: file names are kebab-case`]
}

function checkEdge(file, edge, { dependencies, tools }) {
  const at = `${file}:${edge.line}`
  return [
    ...(edge.target === undefined ? checkPackage(file, edge, dependencies) : checkTarget(file, edge, tools)),
    ...checkReexport(file, edge),
  ].map(problem => `${at}: ${problem}`)
}

function checkPackage(file, edge, dependencies) {
  const isNode = edge.package.startsWith('node:')
  const refused = mayNotUse.find(
    rule => rule.from.test(file) && rule.packages.test(edge.package) && !(isNode && edge.types),
  )
  if (refused) return [`${edge.package} is not for here: ${refused.why}`]
  if (PRODUCT.test(file) && !edge.types && !isNode && !(edge.package in dependencies))
    return [`${edge.package} is not in the dependencies of package.json (nor a relative path, nor written with node:)`]
  return []
}

function checkTarget(file, { target, specifier, types }, tools) {
  if (target === '') return [`${specifier} leads to no file`]
  if (/\.tsx?$/.test(extname(specifier))) return [`${specifier}: imports are written without extension`]
  const rule = mayImport.find(one => one.from.test(file))
  if (!rule) return ['no rule says what this file may import; add one to tests/boundaries.cjs']
  const allowed = [...rule.to, ...(types ? (rule.types ?? []) : [])]
  if (!allowed.some(pattern => pattern.test(target)))
    return [`may not import ${target}${types ? ' (types)' : ''}: ${rule.why}`]
  const refusal = types && !TYPED.test(file) ? undefined : refuseRoom(file, target)
  if (refusal) return [refusal]
  if (tools.includes(file) && tools.includes(target))
    return [`a tool may not import another one (${target}): what they share belongs to features or to pdf`]
  return []
}

/** The reason why a file may not import from the room of another file. Undefined if it may. */
function refuseRoom(file, target) {
  const [area] = file.split('/')
  const room = roomOf(file)
  if (!ROOMED.test(file) || !target.startsWith(`${area}/`)) return undefined
  if (target.startsWith(PDF) && file.startsWith(PDF) === isDoor(target))
    return file.startsWith(PDF)
      ? `may not import ${target}: the files directly in ${PDF} are for other folders`
      : `may not import ${target}: only the files directly in ${PDF} are for other folders`
  if (room === file || room === roomOf(target)) return undefined
  if (!(room in rooms)) return `no row of rooms says what ${room} may import; add one to tests/boundaries.cjs`
  const isAllowed = rooms[room].some(one => target === `${area}/${one}` || target.startsWith(`${area}/${one}/`))
  return isAllowed ? undefined : `may not import ${target}: the row of ${room} in tests/boundaries.cjs has no such room`
}

/** The room of a file: the row with the longest path above it. A file directly in engines or lib is a separate room. */
function roomOf(file) {
  if (/^(engines|lib)\/[^/]+$/.test(file)) return file
  const above = Object.keys(rooms).filter(room => file.startsWith(`${room}/`))
  return above.toSorted((one, other) => other.length - one.length)[0] ?? dirname(file)
}

/**
 * Cycles of folders. In `engines`, types count too, except that a folder may use the types of the folders above it. The
 * doors of engines/pdf only hand on what other folders have.
 */
function findFolderCircles(code) {
  const graph = new Map()
  for (const [file, edges] of code) {
    if (!PRODUCT.test(file) || isDoor(file)) continue
    const folder = folderOf(file)
    const targets = edges
      .filter(({ target, types }) => code.has(target) && !isDoor(target) && (!types || TYPED.test(file)))
      .filter(({ target, types }) => !types || !folder.startsWith(`${dirname(target)}/`))
      .map(({ target }) => folderOf(target))
    graph.set(folder, new Set([...(graph.get(folder) ?? []), ...targets.filter(target => target !== folder)]))
  }
  const circles = findCirclesIn(graph).filter(circle => circle.some(folder => !code.has(folder)))
  return circles.map(circle => `folders import in a circle: ${circle.join(' → ')}`)
}

/** A file directly in engines or lib stands for itself. */
function folderOf(file) {
  return /^(engines|lib)\/[^/]+$/.test(file) ? file : dirname(file)
}

function isDoor(file) {
  return `${dirname(file)}/` === PDF
}

/** The ways from files to a target that they may not load, over any number of imports that exist at runtime. */
function findWays(code, { from, target, why }) {
  const ways = new Map([...code.keys()].filter(file => from.test(file)).map(file => [file, [file]]))
  for (const [file, way] of ways)
    for (const edge of code.get(file) ?? [])
      if (!edge.types && code.has(edge.target) && !ways.has(edge.target)) ways.set(edge.target, [...way, edge.target])
  return [...ways]
    .filter(([file]) => target.test(file))
    .map(([, way]) => `${way[0]}: may not reach ${way.at(-1)}: ${why} (${way.join(' → ')})`)
}

function checkReexport(file, edge) {
  return edge.reexport && file !== toolList && !isDoor(file) && PRODUCT.test(file)
    ? [`hands on ${edge.specifier}: only ${toolList} and ${PDF} may; import it where it is`]
    : []
}

/** Cycles of files. Types don't count, because they don't exist at runtime. */
function findFileCircles(code) {
  const graph = new Map()
  for (const [file, edges] of code) {
    const targets = edges.filter(({ target, types }) => !types && code.has(target)).map(({ target }) => target)
    graph.set(file, new Set(targets))
  }
  return findCirclesIn(graph).map(circle => `imports in a circle: ${circle.join(' → ')}`)
}

/** Every cycle of a graph once. */
function findCirclesIn(graph) {
  const found = []
  const state = new Map()
  const walk = (node, way) => {
    state.set(node, 'open')
    for (const target of graph.get(node) ?? []) {
      if (state.get(target) === 'open') found.push([...way.slice(way.indexOf(target)), target])
      else if (!state.has(target)) walk(target, [...way, target])
    }
    state.set(node, 'done')
  }
  for (const node of graph.keys()) if (!state.has(node)) walk(node, [node])
  return found
}

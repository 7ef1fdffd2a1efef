import { readImports } from '../read-imports.mjs'

/** Tests of a whole feature under another path. They always run, after the nearest tests. */
const WHOLE_FEATURES = {
  'engines/features/redaction/': [
    'tests/engines/tools/pdf-redaction.test.ts',
    'tests/redaction-traps/document-traps.test.ts',
    'tests/redaction-traps/content-traps.test.ts',
  ],
}

/**
 * Returns a function that lists the test files that import a file. The test under the path of the file comes first, then
 * those that import it directly. Others import it over any number of files between: those with the most folders in common
 * come first, because a test of a whole tool imports all tools. Imports of types don't count, because they don't run.
 * Tests under the path of the file follow in any case, because some of them bundle it without importing it. The list
 * ends after `most` of them, and with the tests of the whole feature.
 */
export function createNearTests(root, files, isTest) {
  const importers = new Map()
  for (const file of files.filter(file => /\.(ts|tsx|mjs)$/.test(file)))
    for (const { target, types } of readImports(root, file))
      if (target && !types) importers.set(target, (importers.get(target) ?? new Set()).add(file))
  return (file, most) => {
    const folder = `tests/${file.slice(0, file.lastIndexOf('/') + 1)}`
    const namesake = `tests/${file.replace(/\.tsx?$/, '.test.ts')}`
    const isBeside = test => test.startsWith(folder)
    const countShared = test => countWhile(test.split('/'), (part, index) => part === folder.split('/')[index])
    const distances = new Map([[file, 0]])
    // A Map also visits the entries that are added during the loop.
    for (const [next, distance] of distances)
      for (const importer of importers.get(next) ?? [])
        if (!distances.has(importer)) distances.set(importer, distance + 1)
    const near = [...distances.keys()]
      .filter(isTest)
      .toSorted(
        (one, other) =>
          Number(distances.get(one) > 1) - Number(distances.get(other) > 1) ||
          countShared(other) - countShared(one) ||
          distances.get(one) - distances.get(other),
      )
    const beside = files.filter(test => isTest(test) && isBeside(test))
    const nearest = [...new Set([...[namesake].filter(isTest), ...near, ...beside])].slice(0, most)
    const whole = Object.entries(WHOLE_FEATURES).find(([path]) => file.startsWith(path))?.[1] ?? []
    return [...new Set([...nearest, ...whole])]
  }
}

function countWhile(list, isLike) {
  const end = list.findIndex((one, index) => !isLike(one, index))
  return end === -1 ? list.length : end
}

/** An instruction of a Dockerfile, on one line. */
export interface Instruction {
  name: string
  /** Flags before the arguments, such as `--from=…`. */
  flags: Record<string, string>
  rest: string
}

/** A stage, from its FROM to the next one. */
export interface Stage {
  name: string
  from: string
  instructions: Instruction[]
}

/**
 * The stages of a Dockerfile in order, with the defaults of build arguments in FROM. Throws an Error for another
 * instruction before the first FROM.
 */
export function readDockerfile(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter(line => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
  const stages: Stage[] = []
  const globals: Record<string, string> = {}
  for (const line of lines) {
    const instruction = readInstruction(line)
    if (instruction.name === 'FROM') {
      const [image = '', , name = String(stages.length)] = instruction.rest.split(/\s+/)
      const from = image.replaceAll(/\$\{(\w+)\}/g, (_, argument: string) => globals[argument] ?? '')
      stages.push({ name, from, instructions: [] })
    } else if (instruction.name === 'ARG' && stages.length === 0) {
      Object.assign(globals, readEnvironment(instruction))
    } else {
      const stage = stages.at(-1)
      if (!stage) throw new Error(`${line} stands before FROM`)
      stage.instructions.push(instruction)
    }
  }
  return stages
}

/** The words of an instruction in exec form, `["a", "b"]`. Throws an Error for the shell form. */
export function readWords({ name, rest }: Instruction): string[] {
  const words: unknown = JSON.parse(rest)
  if (!Array.isArray(words)) throw new Error(`${name} is no list of words: ${rest}`)
  return words.map(String)
}

/** Sources and destination of a COPY. */
export function readCopy({ rest }: Instruction): { sources: string[]; target: string } {
  const words = rest.split(/\s+/)
  return { sources: words.slice(0, -1), target: words.at(-1) ?? '' }
}

/** The variables of an ENV. */
export function readEnvironment({ rest }: Instruction): Record<string, string> {
  return Object.fromEntries(
    rest.split(/\s+/).map(pair => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
}

function readInstruction(line: string): Instruction {
  const [, name = '', flags = '', rest = ''] = /^(\S+)((?:\s+--\S+)*)\s+(.*)$/.exec(line) ?? []
  return {
    name: name.toUpperCase(),
    rest,
    flags: Object.fromEntries(
      [...flags.matchAll(/--([a-z-]+)=(\S+)/g)].map(([, flag = '', value = '']) => [flag, value]),
    ),
  }
}

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const LIMIT_MS = 110_000

/** The output of a program, and its exit code. */
export interface Run {
  code: number
  said: string
}

interface Runner {
  /** A command whose exit code tells whether the language and its sample's dependencies are installed. */
  probe: [program: string, ...args: string[]]
  /** The file name of a saved sample. */
  file: string
  command: [program: string, ...args: string[]]
}

const PROJECT =
  '<Project ' +
  'Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net8.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings></PropertyGroup></Project>'

const RUNNERS: Record<string, Runner> = {
  curl: { probe: ['curl', '--version'], file: 'sample.sh', command: ['sh', 'sample.sh'] },
  node: { probe: [process.execPath, '--version'], file: 'sample.mjs', command: [process.execPath, 'sample.mjs'] },
  python: { probe: ['python3', '-c', 'import requests'], file: 'sample.py', command: ['python3', 'sample.py'] },
  php: {
    probe: ['php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);'],
    file: 'sample.php',
    command: ['php', 'sample.php'],
  },
  go: { probe: ['go', 'version'], file: 'sample.go', command: ['go', 'run', 'sample.go'] },
  csharp: { probe: ['dotnet', '--list-sdks'], file: 'Program.cs', command: ['dotnet', 'run'] },
}

/** Returns whether this machine can run the samples of a language. */
export async function canRunSample(id: string): Promise<boolean> {
  const [program, ...args] = RUNNERS[id]?.probe ?? ['false']
  return run(program, args, { timeout: 60_000 }).then(
    () => true,
    () => false,
  )
}

/** Saves a sample as a reader would, and runs it in that folder. */
export async function runSample({ id, text }: { id: string; text: string }, folder: string): Promise<Run> {
  const runner = RUNNERS[id]
  if (!runner) throw new Error(`there is no way to run ${id}`)
  await writeFile(join(folder, runner.file), text)
  if (id === 'csharp') await writeFile(join(folder, 'sample.csproj'), PROJECT)
  const [program, ...args] = runner.command
  const env = { ...process.env, SHEAF_API_KEY: 'key of the environment' }
  return run(program, args, { cwd: folder, env, timeout: LIMIT_MS }).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    (error: unknown) => {
      // execFile rejects with this type.
      const { code = -1, stdout = '', stderr = '' } = error as { code?: number; stdout?: string; stderr?: string }
      return { code, said: stdout + stderr }
    },
  )
}

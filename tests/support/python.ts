import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

/** Returns whether this machine has a Python that the client supports. */
export function hasPython(): boolean {
  const { status } = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))'])
  return status === 0
}

/** The environment of a Python program that imports the client from the project. */
export const PYTHON_ENVIRONMENT: NodeJS.ProcessEnv = {
  ...process.env,
  PYTHONPATH: resolve('clients/python/src'),
  PYTHONDONTWRITEBYTECODE: '1',
}

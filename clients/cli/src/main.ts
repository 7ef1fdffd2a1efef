#!/usr/bin/env node
import { CommanderError } from 'commander'
import { EXIT } from './failure'
import { createProgram, reportFailure } from './program'

try {
  await createProgram().parseAsync()
} catch (error) {
  // Commander has printed its help or its error.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage
  else reportFailure(error, process.argv.includes('--json'))
}

import type { Examination } from '../examination'
export function outputColorSpace(_e: Examination): string | undefined {
  return 'RGB '
}

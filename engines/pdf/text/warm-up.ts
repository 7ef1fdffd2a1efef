import { openTypesetter } from './typesetter'

/** Text in the scripts that requests use most. */
const SAMPLES = [
  'Page 1 of 10',
  'Żółw Ωμέγα Щука',
  '机密文件',
  '機密',
  '社外秘カタカナ',
  '대외비 문서',
  'سري',
  'סודי',
  'नमस्ते',
  'สวัสดี',
  '✓ 😀',
]

/** Loads and compiles everything that the first text in each of these scripts needs, including bold Latin text. */
export async function warmUpText(): Promise<void> {
  const typesetter = await openTypesetter()
  for (const sample of SAMPLES) typesetter.shape(sample)
  typesetter.shape('Bold', { weight: 700 })
}

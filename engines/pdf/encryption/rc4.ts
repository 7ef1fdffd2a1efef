/** Encrypts or decrypts with RC4, which is its own inverse. OpenSSL 3 no longer offers this cipher by default. */
export function rc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index)
  for (let index = 0, other = 0; index < 256; index++) {
    const value = state[index] as number
    other = (other + value + (key[index % key.length] as number)) & 255
    state[index] = state[other] as number
    state[other] = value
  }
  const output = new Uint8Array(data.length)
  for (let at = 0, index = 0, other = 0; at < data.length; at++) {
    index = (index + 1) & 255
    const value = state[index] as number
    other = (other + value) & 255
    const swapped = state[other] as number
    state[index] = swapped
    state[other] = value
    output[at] = (data[at] as number) ^ (state[(value + swapped) & 255] as number)
  }
  return output
}

/**
 * Roughly how a word sounds: its consonants, with those that people confuse treated as one (Derrick and Derek, Knoblock and
 * Knoblauch), and whether it starts with a vowel. Only words of 3 to 20 Latin letters have a sound.
 */
export const soundOf = (word: string): string | undefined => {
  if (!/^[a-z]{3,20}$/.test(word)) return undefined
  const sound = word
    .replace(/^[kgp]n/, 'n')
    .replace(/^wr/, 'r')
    .replaceAll('ph', 'f')
    .replaceAll('sch', 's')
    .replaceAll('sh', 's')
    .replaceAll('dg', 'j')
    .replace(/c(?=[eiy])/g, 's')
    .replace(/g(?=[eiy])/g, 'j')
    .replace(/[cqxzv]/g, (letter) => (letter === 'z' ? 's' : letter === 'v' ? 'f' : 'k'))
    .replace(/^[aeiouy]+/, 'a')
  return (sound.slice(0, 1) + sound.slice(1).replace(/[aeiouyhw]/g, '')).replace(/(.)\1+/g, '$1')
}

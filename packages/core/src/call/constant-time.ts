/** Whether two texts are equal; every character of the second is looked at, so that the time tells nothing of the first but its length. */
export function isEqualInTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let index = 0; index < b.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}

/** How far the next noon (UTC) is: a test that counts days begins there, and no midnight comes while it runs. */
export const secondsToNoon = (): number => (((43_200 - Math.floor(Date.now() / 1000)) % 86_400) + 86_400) % 86_400

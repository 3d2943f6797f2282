/** The seconds until the next noon (UTC). A test that counts days starts then, so that no midnight passes while it runs. */
export const secondsToNoon = (): number => (((43_200 - Math.floor(Date.now() / 1000)) % 86_400) + 86_400) % 86_400

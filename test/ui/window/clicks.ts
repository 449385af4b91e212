import type { Locator } from 'playwright-core';
import { until } from '../../support/until';

/** Run in the page: an object that says whether a click has reached a button since. */
const LISTEN_FOR_CLICK = `(() => {
  const heard = { click: false };
  const listen = ({ target }) => {
    heard.click = target.closest('[role=button]') !== null;
    removeEventListener('click', listen, true);
  };
  addEventListener('click', listen, true);
  return heard;
})()`;

/** Clicks on a button until a click has reached it. */
export async function clickUntilHeard(button: Locator): Promise<void> {
  await until('the button has heard a click', () => clickOnce(button));
}

/** False where the click reached no button: it was drawn again between the press of the mouse and its release. */
export async function clickOnce(button: Locator): Promise<boolean> {
  const heard = await button.page().evaluateHandle<{ click: boolean }>(LISTEN_FOR_CLICK);
  await button.click();
  return heard.evaluate(({ click }) => click);
}

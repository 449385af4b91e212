import type { Command } from 'commander';
import type { Act } from '../../action';
import { OK } from '../../exitCodes';

export function defineMetrics(program: Command, act: Act): void {
  const command = program
    .command('metrics')
    .description('print the metrics of the queue for Prometheus; "work --metrics" serves them');
  act(command, async (context) => {
    const { takeMetrics } = await import('../../../app/metrics/metrics');
    const text = await context.withQueue((queue) => takeMetrics(context, queue));
    await context.system.outExactly(text);
    return OK;
  });
}

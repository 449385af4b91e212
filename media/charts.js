// Draws the pictures of a page: elements with `data-chart`, in the colours of the theme. All data comes from the extension.
(() => {
  const { default: UPlot } = window.uPlotModule;
  const HEIGHT = 170;
  const DAY_S = 86_400;
  const DAYS = [1, 2, 4, 7, 14, 28, 56, 112, 182, 364];
  const HOURS = [1, 3, 6, 12];
  let drawn = [];

  const styleOf = (name) => window.getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const colourOf = (name) => styleOf(`--vscode-${name}`) || styleOf('--vscode-foreground');
  const fontOf = () => `11px ${styleOf('--vscode-font-family')}`;

  const two = (number) => String(number).padStart(2, '0');
  function formatTime(seconds) {
    const date = new Date(seconds * 1000);
    if (seconds % DAY_S === 0) return `${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
    return `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
  }

  const UNITS = {
    count: String,
    usd: (value) => `$${Number.isInteger(value) ? value : value.toFixed(2)}`,
    share: (value) => `${Math.round(value * 100)} %`,
  };

  const axis = (more) => ({
    stroke: () => colourOf('foreground'),
    font: fontOf(),
    ticks: { show: false },
    grid: { stroke: () => colourOf('panel-border'), width: 1, dash: [1, 4] },
    ...more,
  });

  function axesOf({ kind, unit }) {
    const days = DAYS.map((each) => each * DAY_S);
    const incrs = kind === 'columns' ? days : [...HOURS.map((each) => each * 3600), ...days];
    const values = (_, times) => times.map(formatTime);
    const counts = unit === 'count' ? { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] } : {};
    return [
      axis({ incrs, values, space: 50, size: 24, grid: { show: false } }),
      axis({ values: (_, values) => values.map(UNITS[unit]), size: 46, space: 28, ...counts }),
    ];
  }

  function scalesOf({ kind, unit, times }) {
    const half = kind === 'columns' ? DAY_S / 2 : DAY_S / 24;
    const x = { time: true, range: () => [times[0] - half, times.at(-1) + half] };
    const y = { range: (_, min, max) => [0, unit === 'share' ? 1.06 : Math.max(max * 1.08, 1e-4)] };
    return { x, y };
  }

  function seriesOf({ kind, series }) {
    const columns = UPlot.paths.bars({ size: [0.7, 48] });
    const steps = UPlot.paths.stepped({ align: 1 });
    const drawnLast = kind === 'columns' ? [...series].reverse() : series;
    return drawnLast.map(({ label, colour, values }) => ({
      values,
      options: {
        label,
        stroke: () => colourOf(colour),
        width: kind === 'columns' ? 0 : 1.5,
        points: { show: false },
        ...(kind === 'columns' ? { fill: () => colourOf(colour), paths: columns } : { paths: steps }),
      },
    }));
  }

  /** Draws a triangle above each mark. */
  function drawMarks(plot, marks) {
    const { ctx, bbox } = plot;
    const size = 4 * window.devicePixelRatio;
    ctx.save();
    ctx.fillStyle = colourOf('charts-yellow');
    for (const mark of marks) {
      const x = plot.valToPos(mark, 'x', true);
      ctx.beginPath();
      ctx.moveTo(x - size, bbox.top);
      ctx.lineTo(x + size, bbox.top);
      ctx.lineTo(x, bbox.top + 2 * size);
      ctx.fill();
    }
    ctx.restore();
  }

  function draw(element) {
    const chart = JSON.parse(element.dataset.chart);
    const readout = element.nextElementSibling;
    const series = seriesOf(chart);
    const options = {
      width: element.clientWidth,
      height: HEIGHT,
      tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      scales: scalesOf(chart),
      axes: axesOf(chart),
      series: [{}, ...series.map(({ options: each }) => each)],
      hooks: {
        draw: [(plot) => drawMarks(plot, chart.marks)],
        setCursor: [
          ({ cursor }) => {
            readout.textContent = chart.words[cursor.idx] ?? '';
          },
        ],
      },
    };
    return new UPlot(options, [chart.times, ...series.map(({ values }) => values)], element);
  }

  function drawAll() {
    for (const { plot } of drawn) plot.destroy();
    drawn = [...document.querySelectorAll('[data-chart]')].map((element) => ({
      element,
      plot: draw(element),
    }));
    for (const swatch of document.querySelectorAll('.swatch'))
      swatch.style.setProperty('--colour', `var(--vscode-${swatch.dataset.colour})`);
  }

  window.addEventListener('resize', () => {
    for (const { element, plot } of drawn) plot.setSize({ width: element.clientWidth, height: HEIGHT });
  });
  window.addEventListener('replaced', drawAll);
  new window.MutationObserver(() => {
    for (const { plot } of drawn) plot.redraw();
  }).observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
  drawAll();
})();

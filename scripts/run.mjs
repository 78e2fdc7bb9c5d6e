// The entry point of every npm command. Written in old syntax so that an outdated Node can still print the error.
import process from 'process';

const major = Number(process.versions.node.split('.')[0]);

if (major < 18) {
  process.stderr.write('Tallyport needs Node 18 or newer to start; this is Node ' + process.versions.node + '.\n');
  process.exit(1);
} else {
  import('./launch/launch.mjs').then(function (module) {
    return module.launch(process.argv[2], process.argv.slice(3));
  });
}

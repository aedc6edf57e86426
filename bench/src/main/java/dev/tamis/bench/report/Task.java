package dev.tamis.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What one JVM measures.
 *
 * @param name names the file of its results
 * @param benchmark class of the benchmark
 * @param parameters its parameters
 * @param jvmArguments what the JVM is started with
 * @param jmhArguments how long it is measured
 */
record Task(
    String name,
    Class<?> benchmark,
    Map<String, String> parameters,
    List<String> jvmArguments,
    List<String> jmhArguments) {

  /** Returns the arguments after {@code java}. */
  List<String> command(String classPath, List<String> moreJvmArguments, String resultFile) {
    List<String> command = new ArrayList<>(jvmArguments);
    command.addAll(moreJvmArguments);
    command.addAll(List.of("-cp", classPath, "org.openjdk.jmh.Main"));
    // not forked once more: this JVM is the fork, and all its benchmarks share the filled filter
    command.addAll(List.of("-f", "0", "-foe", "true", "-rf", "json", "-rff", resultFile));
    command.addAll(List.of("-prof", "gc", "-prof", "dev.tamis.bench.peers.Achieved"));
    command.addAll(jmhArguments);
    parameters.forEach((name, value) -> command.addAll(List.of("-p", name + "=" + value)));
    command.add("^" + benchmark.getName().replace(".", "\\.") + "\\.");
    return command;
  }
}
